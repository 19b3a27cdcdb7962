// Loaded before the C library (LD_PRELOAD), it ends a process that looks for a network: by a socket that is not local,
// or by asking for the address of a name. With LISTENING in the environment it may have sockets, to listen on 127.0.0.1
// alone; who connects to anybody, sends to an address or listens elsewhere is ended.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void end(const char* how) {
  static const char what[] = "the network was asked for by ";
  if (write(2, what, sizeof what - 1) < 0 || write(2, how, strlen(how)) < 0) abort();
  abort();
}

static int is_local(const struct sockaddr* to) {
  return to == NULL || to->sa_family == AF_UNIX || to->sa_family == AF_UNSPEC;
}

int bind(int socket, const struct sockaddr* at, socklen_t length) {
  const struct sockaddr_in* inet = (const struct sockaddr_in*)at;
  if (!is_local(at) && (at->sa_family != AF_INET || inet->sin_addr.s_addr != htonl(INADDR_LOOPBACK))) end("bind()");
  int (*real)(int, const struct sockaddr*, socklen_t) =
      (int (*)(int, const struct sockaddr*, socklen_t))dlsym(RTLD_NEXT, "bind");
  return real(socket, at, length);
}

int connect(int socket, const struct sockaddr* to, socklen_t length) {
  if (!is_local(to)) end("connect()");
  int (*real)(int, const struct sockaddr*, socklen_t) =
      (int (*)(int, const struct sockaddr*, socklen_t))dlsym(RTLD_NEXT, "connect");
  return real(socket, to, length);
}

ssize_t sendto(int socket, const void* data, size_t size, int flags, const struct sockaddr* to, socklen_t length) {
  if (!is_local(to)) end("sendto()");
  ssize_t (*real)(int, const void*, size_t, int, const struct sockaddr*, socklen_t) =
      (ssize_t(*)(int, const void*, size_t, int, const struct sockaddr*, socklen_t))dlsym(RTLD_NEXT, "sendto");
  return real(socket, data, size, flags, to, length);
}

int socket(int domain, int type, int protocol) {
  if (domain != AF_UNIX && getenv("LISTENING") == NULL) end("socket()");
  int (*real)(int, int, int) = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  return real(domain, type, protocol);
}

int getaddrinfo(const char* node, const char* service, const struct addrinfo* hints, struct addrinfo** result) {
  (void)node, (void)service, (void)hints, (void)result;
  end("getaddrinfo()");
  return EAI_FAIL;
}

struct hostent* gethostbyname(const char* name) {
  (void)name;
  end("gethostbyname()");
  return NULL;
}
