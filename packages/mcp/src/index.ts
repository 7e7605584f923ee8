/**
 * Exposes Trailbook's operations as Model Context Protocol tools. The package provides a handler for `/mcp`, which the
 * host mounts behind authentication.
 *
 * `stdio` serves the process's standard streams, and `proxyStdio` connects them to a remote server.
 */
export * from "./http/handler.ts"
