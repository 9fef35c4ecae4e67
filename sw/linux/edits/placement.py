# SPDX-License-Identifier: Apache-2.0
"""arch/um lies where its edits move nothing else, so that they leave results as they are."""

from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/longhaul.lds.S",
        "arch/um/include/asm/longhaul.lds.S",
        "the place of arch/um in the image",
    ),
]

SCRIPT = "arch/um/kernel/dyn.lds.S"

EDITS = [
    Edit(
        SCRIPT,
        "  . = START + SIZEOF_HEADERS;\n  .interp         : { *(.interp) }\n",
        "#include <asm/longhaul.lds.S>\n  . = START + SIZEOF_HEADERS;\n",
        "the place of arch/um, and of all that its calls of libc bring",
    ),
    Edit(
        SCRIPT,
        "   __bss_stop = .;\n  _end = .;\n  PROVIDE (end = .);\n",
        "   __bss_stop = .;\n"
        '  ASSERT(. <= LONGHAUL_UM_BEGIN, "the kernel reaches into the place of arch/um")\n',
        "the image ends behind arch/um",
    ),
    Edit(
        "arch/um/include/shared/skas/mm_id.h",
        "\tint kill;\n",
        "\tint kill;\n\tunion {\n\t\tstruct longhaul_fp fp;\n\t\tunsigned long room[8];\n\t};\n",
        "the kernel's mm_struct holds this: another size of it would move other things",
    ),
    Edit(
        "arch/um/include/shared/skas/mm_id.h",
        "#define __MM_ID_H\n",
        "#define __MM_ID_H\n\n#include <longhaul_fp_owner.h>\n",
        "declares struct longhaul_fp",
    ),
]
