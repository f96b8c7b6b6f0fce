/* Looks for names, one a line, in the libcuda.so.1 that the dynamic linker finds; says which it lacks, and what cuInit answers. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    char name[256];
    int found = 0;
    while (fgets(name, sizeof name, stdin) != NULL) {
        name[strcspn(name, "\n")] = 0;
        if (dlsym(library, name) != NULL)
            found++;
        else
            printf("lacks %s\n", name);
    }
    int (*init)(unsigned int) = (int (*)(unsigned int))(uintptr_t)dlsym(library, "cuInit");
    int (*version)(int *) = (int (*)(int *))(uintptr_t)dlsym(library, "cuDriverGetVersion");
    int number = 0;
    int answer = version == NULL ? -1 : version(&number);
    printf("found %d\ncuInit %d\ncuDriverGetVersion %d %d\n", found, init == NULL ? -1 : init(0), answer, number);
    return 0;
}
