// The kernels of opencl/*.cl on PoCL, a software OpenCL device.
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct context {
    const char *kernels;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    const struct workload *workload;
    const struct buffers *buffers;
    cl_program program;
    cl_kernel kernel;
    cl_mem memory[3]; // both inputs and the output; null where absent
};

static void check(cl_int status, const char *call)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s failed with OpenCL error %d\n", call, status);
        exit(1);
    }
}

static cl_device_id find_pocl(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) {
        count = 0;
    }
    for (cl_uint i = 0; i < count && i < 16; i++) {
        char name[256] = "";
        cl_device_id device;
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strcmp(name, "Portable Computing Language") == 0 && clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS) {
            return device;
        }
    }
    fprintf(stderr, "no PoCL device found; install the Debian package pocl-opencl-icd\n");
    exit(1);
}

static void open_device(struct context *self, int threads)
{
    char count[16];
    snprintf(count, sizeof count, "%d", threads);
    setenv("POCL_MAX_PTHREAD_COUNT", count, 1); // read when PoCL starts its device
    self->device = find_pocl();
    cl_uint units = 0;
    char version[256] = "";
    clGetDeviceInfo(self->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(self->device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    if (units != (cl_uint)threads) {
        fprintf(stderr, "%s runs %u threads, %d were asked for\n", version, units, threads);
        exit(1);
    }
    cl_int status;
    self->context = clCreateContext(NULL, 1, &self->device, NULL, NULL, &status);
    check(status, "clCreateContext");
    self->queue = clCreateCommandQueue(self->context, self->device, 0, &status);
    check(status, "clCreateCommandQueue");
}

static void read_source(const char *directory, const char *name, char *text, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.cl", directory, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s cannot be read; name the directory of the .cl files with --kernels\n", path);
        exit(1);
    }
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
}

static void build(struct context *self)
{
    char text[16384];
    read_source(self->kernels, self->workload->name, text, sizeof text);
    const char *source = text;
    cl_int status;
    self->program = clCreateProgramWithSource(self->context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(self->program, 1, &self->device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(self->program, self->device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);
        fprintf(stderr, "%s.cl does not build:\n%s\n", self->workload->name, text);
        exit(1);
    }
    self->kernel = clCreateKernel(self->program, self->workload->name, &status);
    check(status, "clCreateKernel");
}

static cl_mem upload(struct context *self, void *host, size_t bytes, cl_mem_flags flags)
{
    if (host == NULL) {
        return NULL;
    }
    cl_int status;
    cl_mem memory = clCreateBuffer(self->context, flags | CL_MEM_COPY_HOST_PTR, bytes, host, &status);
    check(status, "clCreateBuffer");
    return memory;
}

static void prepare(void *context, const struct workload *workload, const struct buffers *buffers)
{
    struct context *self = context;
    self->workload = workload;
    self->buffers = buffers;
    build(self);
    for (int i = 0; i < 2; i++) {
        self->memory[i] = upload(self, buffers->input[i], workload->input_bytes[i], CL_MEM_READ_ONLY);
    }
    self->memory[2] = upload(self, buffers->output, workload->output_count * 4, CL_MEM_READ_WRITE);
    cl_uint argument = 0;
    for (int i = 0; i < workload->scalar_count; i++) {
        check(clSetKernelArg(self->kernel, argument++, sizeof workload->scalars[i], &workload->scalars[i]), "clSetKernelArg");
    }
    for (int i = 0; i < 3; i++) {
        if (self->memory[i] != NULL) {
            check(clSetKernelArg(self->kernel, argument++, sizeof(cl_mem), &self->memory[i]), "clSetKernelArg");
        }
    }
}

static void run(void *context)
{
    struct context *self = context;
    const size_t *grid = self->workload->grid;
    const size_t *block = self->workload->block;
    size_t global[2] = {grid[0] * block[0], grid[1] * block[1]};
    check(clEnqueueNDRangeKernel(self->queue, self->kernel, 2, NULL, global, block, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clFinish(self->queue), "clFinish");
}

static void finish(void *context)
{
    struct context *self = context;
    if (self->memory[2] != NULL) {
        check(clEnqueueReadBuffer(self->queue, self->memory[2], CL_TRUE, 0, self->workload->output_count * 4, self->buffers->output, 0, NULL, NULL),
              "clEnqueueReadBuffer");
    }
}

static void release(void *context)
{
    struct context *self = context;
    for (int i = 0; i < 3; i++) {
        if (self->memory[i] != NULL) {
            clReleaseMemObject(self->memory[i]);
        }
    }
    clReleaseKernel(self->kernel);
    clReleaseProgram(self->program);
}

int main(int argc, char **argv)
{
    struct options options = {.kernels = KERNEL_DIRECTORY, .warmup = 10, .runs = 20, .threads = 1};
    parse_options(argc, argv, "Times the benchmark kernels on PoCL.", &options);
    struct context context = {.kernels = options.kernels};
    open_device(&context, options.threads);
    const struct implementation implementation = {"pocl", prepare, run, finish, release};
    int status = run_workloads(&implementation, &context, &options);
    clReleaseCommandQueue(context.queue);
    clReleaseContext(context.context);
    return status;
}
