/* Compares the layouts of libcudart's types with those of an installed CUDA 13; see runtime_layout.c. */
#include <glob.h>
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

/* The folder with the headers of a CUDA 13, or NULL. */
static const char *headers(void)
{
    static char folder[512];
    const char *home = getenv("CUDA_HOME");
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/include/cuda_runtime_api.h", home == NULL ? "/usr/local/cuda-13*" : home);
    if (glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    snprintf(folder, sizeof folder, "%s", found.gl_pathv[found.gl_pathc - 1]);
    *strrchr(folder, '/') = '\0';
    globfree(&found);
    return folder;
}

int main(void)
{
    char folder[] = "/tmp/facet-test-XXXXXX";
    char here[512];
    const char *theirs = headers();
    if (theirs == NULL) {
        printf("no CUDA 13 in /usr/local or CUDA_HOME: layouts are not compared\n");
        return 0;
    }
    snprintf(here, sizeof here, "%s", __FILE__);
    *strrchr(here, '/') = '\0';
    CHECK(mkdtemp(folder) != NULL);
    CHECK_EQUAL(0, shell("cc -w -I%s/../../abi/target/generated/c %s/runtime_layout.c -o %s/ours", here, here, folder));
    CHECK_EQUAL(0, shell("cc -w -DTHEIRS -I%s %s/runtime_layout.c -o %s/theirs", theirs, here, folder));
    CHECK_EQUAL(0, shell("cd %s && ./ours > ours.txt && ./theirs > theirs.txt && diff ours.txt theirs.txt", folder));
    CHECK_EQUAL(0, shell("rm -r %s", folder));
    return CHECK_RESULT();
}
