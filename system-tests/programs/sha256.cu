// SHA-256 of many messages, one a thread: rotations, constants, local arrays.
#include "check.h"

#include <cstring>
#include <vector>

__constant__ uint32_t K[64];

// First bits of the fractional parts of cube roots of primes (FIPS 180-4, 4.2.2).
void make_constants(uint32_t *k)
{
    int found = 0;
    for (int n = 2; found < 64; n++) {
        bool prime = true;
        for (int d = 2; d * d <= n; d++) {
            prime = prime && n % d != 0;
        }
        if (prime) {
            long double root = cbrtl(n);
            k[found++] = static_cast<uint32_t>((root - floorl(root)) * 4294967296.0L);
        }
    }
}

__device__ inline uint32_t rotate(uint32_t x, int n)
{
    return __funnelshift_r(x, x, n);
}

__global__ void sha256(const unsigned char *messages, const int *lengths, int stride, uint32_t *digests, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    const unsigned char *message = messages + i * stride;
    int length = lengths[i];
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    int blocks = (length + 9 + 63) / 64;
    for (int block = 0; block < blocks; block++) {
        uint32_t w[64];
        for (int t = 0; t < 16; t++) {
            uint32_t word = 0;
            for (int b = 0; b < 4; b++) {
                int at = block * 64 + t * 4 + b;
                word = word << 8 | (at < length ? message[at] : at == length ? 0x80 : 0);
            }
            w[t] = word;
        }
        if (block == blocks - 1) {
            w[15] = length * 8;
        }
        for (int t = 16; t < 64; t++) {
            uint32_t a = w[t - 15], b = w[t - 2];
            w[t] = w[t - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
        }
        uint32_t s[8];
        for (int j = 0; j < 8; j++) {
            s[j] = h[j];
        }
        for (int t = 0; t < 64; t++) {
            uint32_t one = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + (s[4] & s[5] ^ ~s[4] & s[6]) + K[t] + w[t];
            uint32_t two = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]);
            for (int j = 7; j > 0; j--) {
                s[j] = s[j - 1];
            }
            s[4] += one;
            s[0] = one + two;
        }
        for (int j = 0; j < 8; j++) {
            h[j] += s[j];
        }
    }
    for (int j = 0; j < 8; j++) {
        digests[i * 8 + j] = h[j];
    }
}

int main()
{
    // FIPS 180-4 examples, and the message of 1,000 letters.
    const char *known[] = {"abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", ""};
    const uint32_t first[] = {0xba7816bf, 0x248d6a61, 0xe3b0c442, 0x41edece4};
    const uint32_t last[] = {0xf20015ad, 0x19db06c1, 0x7852b855, 0xb9737ea3};
    const int count = 203, stride = 1024;
    std::vector<unsigned char> messages(count * stride);
    std::vector<int> lengths(count);
    for (int i = 0; i < count; i++) {
        if (i % 4 == 3) {
            memset(&messages[i * stride], 'a', 1000);
            lengths[i] = 1000;
        } else {
            lengths[i] = static_cast<int>(strlen(known[i % 4]));
            memcpy(&messages[i * stride], known[i % 4], lengths[i]);
        }
    }
    uint32_t k[64];
    make_constants(k);
    CHECK(cudaMemcpyToSymbol(K, k, sizeof k));
    unsigned char *m = device_copy(messages.data(), messages.size());
    int *l = device_copy(lengths.data(), count);
    uint32_t *d = device_array<uint32_t>(count * 8);
    std::vector<uint32_t> digests(count * 8);
    sha256<<<(count + 63) / 64, 64>>>(m, l, stride, d, count);
    LAUNCHED();
    host_copy(digests.data(), d, digests.size());
    for (int i = 0; i < count; i++) {
        REQUIRE(digests[i * 8] == first[i % 4], "message %d starts with %08x", i, digests[i * 8]);
        REQUIRE(digests[i * 8 + 7] == last[i % 4], "message %d ends with %08x", i, digests[i * 8 + 7]);
    }
    printf("ok %d digests\n", count);
    return 0;
}
