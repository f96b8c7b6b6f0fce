/* Compares the layouts of libcudart's types with those of an installed CUDA 13; see runtime_layout.c. */
#include <stdarg.h>
#include <stdlib.h>

#include "check.h"

static int shell(const char *format, ...)
{
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command);
}

/* The folder of a CUDA 13.0, or NULL. */
static const char *toolkit(const char *here)
{
    static char folder[512];
    char command[1024];
    snprintf(command, sizeof command, "%s/../../testkit/cuda", here);
    FILE *found = popen(command, "r");
    if (found == NULL)
        return NULL;
    if (fgets(folder, sizeof folder, found) != NULL)
        folder[strcspn(folder, "\n")] = '\0';
    return pclose(found) == 0 ? folder : NULL;
}

int main(void)
{
    char folder[] = "/tmp/facet-test-XXXXXX";
    char here[512];
    snprintf(here, sizeof here, "%s", __FILE__);
    *strrchr(here, '/') = '\0';
    const char *theirs = toolkit(here);
    if (theirs == NULL) {
        printf("no CUDA 13.0 (testkit/cuda --install fetches it): layouts are not compared\n");
        return 0;
    }
    CHECK(mkdtemp(folder) != NULL);
    CHECK_EQUAL(0, shell("cc -w -I%s/../../abi/target/generated/c %s/runtime_layout.c -o %s/ours", here, here, folder));
    CHECK_EQUAL(0, shell("cc -w -DTHEIRS -I%s/include %s/runtime_layout.c -o %s/theirs", theirs, here, folder));
    CHECK_EQUAL(0, shell("cd %s && ./ours > ours.txt && ./theirs > theirs.txt && diff ours.txt theirs.txt", folder));
    CHECK_EQUAL(0, shell("rm -r %s", folder));
    return CHECK_RESULT();
}
