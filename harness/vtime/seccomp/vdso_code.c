#include "harness/vtime/seccomp/vdso_code.h"

#include "harness/vtime/page.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* The offsets of page.h, which an enum cannot hand to the assembler; page.c
 * holds the structure to the enum, this holds the enum to the numbers. */
#define AT_WALL 16
#define AT_BOOT 24
#define AT_TICK 32
#define AT_BASE 40
#define AT_TICKS 48
_Static_assert(AT_WALL == VTIME_AT_WALL && AT_BOOT == VTIME_AT_BOOT &&
                   AT_TICK == VTIME_AT_TICK && AT_BASE == VTIME_AT_BASE &&
                   AT_TICKS == VTIME_AT_TICKS,
               "the offsets of page.h");

#define SET(name, value) __asm__(".set " #name "," TEXT(value))
SET(vdso_wants, VDSO_WANTS_PAGE);
SET(vdso_has, VDSO_HAS_PAGE);
SET(vdso_page, VDSO_PAGE_AT);
SET(vdso_wall, AT_WALL);
SET(vdso_boot_time, AT_BOOT);
SET(vdso_tick, AT_TICK);
SET(vdso_base, AT_BASE);
SET(vdso_ticks, AT_TICKS);

/*
 * Only registers a called function may change are used (System V ABI). The
 * numbers: 228 clock_gettime, 9 mmap, 3 close; 0x100001 is MAP_SHARED |
 * MAP_FIXED_NOREPLACE; the bit masks are sets of clock ids: 0x8f3 those that
 * are virtual (0 1 4 5 6 7 11), 0x821 those of the wall (0 5 11).
 * A descriptor comes as its number plus 1: 0 is "answered with the time".
 */
__asm__(".section .rodata\n"
        ".globl vdso_boot,vdso_boot_end,vdso_clock,vdso_clock_end\n"
        ".globl vdso_day,vdso_day_call,vdso_day_end\n"
        ".globl vdso_time,vdso_time_call,vdso_time_end\n"
        "vdso_boot:\n"
        "  push %rdi\n"
        "  push %rsi\n"
        "  mov $vdso_wants,%edx\n"
        "  mov $228,%eax\n"
        "  syscall\n"
        "  test %eax,%eax\n"
        "  jle 1f\n"
        "  dec %eax\n"
        "  push %rax\n"
        "  mov %eax,%r8d\n"
        "  movabs $vdso_page,%rdi\n"
        "  mov $4096,%esi\n"
        "  mov $3,%edx\n"
        "  mov $0x100001,%r10d\n"
        "  xor %r9d,%r9d\n"
        "  mov $9,%eax\n"
        "  syscall\n"
        "  pop %rdi\n"
        "  push %rax\n"
        "  mov $3,%eax\n"
        "  syscall\n"
        "  pop %r9\n"
        "  xor %edx,%edx\n"
        "  movabs $vdso_page,%rax\n"
        "  cmp %rax,%r9\n"
        "  jne 2f\n"
        "  mov $vdso_has,%edx\n"
        "2: pop %rsi\n"
        "  pop %rdi\n"
        "  mov $228,%eax\n"
        "  syscall\n"
        "  ret\n"
        "1: pop %rsi\n"
        "  pop %rdi\n"
        "  ret\n"
        "vdso_boot_end:\n"
        "vdso_clock:\n"
        "  cmp $11,%edi\n"
        "  ja 9f\n"
        "  mov %edi,%ecx\n"
        "  mov $0x8f3,%eax\n"
        "  bt %ecx,%eax\n"
        "  jnc 9f\n"
        "  movabs $vdso_page,%r8\n"
        "  mov vdso_tick(%r8),%rdx\n"
        "  mov %rdx,%rax\n"
        "  lock xadd %rax,vdso_ticks(%r8)\n"
        "  add %rdx,%rax\n"
        "  add vdso_base(%r8),%rax\n"
        "  mov $0x821,%edx\n"
        "  bt %ecx,%edx\n"
        "  jnc 3f\n"
        "  add vdso_wall(%r8),%rax\n"
        "3: cmp $7,%ecx\n"
        "  jne 4f\n"
        "  add vdso_boot_time(%r8),%rax\n"
        "4: xor %edx,%edx\n"
        "  mov $1000000000,%ecx\n"
        "  div %rcx\n"
        "  mov %rax,(%rsi)\n"
        "  mov %rdx,8(%rsi)\n"
        "  xor %eax,%eax\n"
        "  ret\n"
        "9: xor %edx,%edx\n"
        "  mov $228,%eax\n"
        "  syscall\n"
        "  ret\n"
        "vdso_clock_end:\n"
        "vdso_day:\n"
        "  test %rdi,%rdi\n"
        "  jz 1f\n"
        "  push %rdi\n"
        "  sub $16,%rsp\n"
        "  xor %edi,%edi\n"
        "  mov %rsp,%rsi\n"
        "vdso_day_call: .byte 0xe8,0,0,0,0\n"
        "  mov (%rsp),%rax\n"
        "  mov 8(%rsp),%rcx\n"
        "  add $16,%rsp\n"
        "  pop %rdi\n"
        "  mov %rax,(%rdi)\n"
        "  mov %rcx,%rax\n"
        "  xor %edx,%edx\n"
        "  mov $1000,%ecx\n"
        "  div %rcx\n"
        "  mov %rax,8(%rdi)\n"
        "1: xor %eax,%eax\n"
        "  ret\n"
        "vdso_day_end:\n"
        "vdso_time:\n"
        "  push %rdi\n"
        "  sub $16,%rsp\n"
        "  xor %edi,%edi\n"
        "  mov %rsp,%rsi\n"
        "vdso_time_call: .byte 0xe8,0,0,0,0\n"
        "  mov (%rsp),%rax\n"
        "  add $16,%rsp\n"
        "  pop %rdi\n"
        "  test %rdi,%rdi\n"
        "  jz 1f\n"
        "  mov %rax,(%rdi)\n"
        "1: ret\n"
        "vdso_time_end:\n"
        ".text\n");
