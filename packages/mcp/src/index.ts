/**
 * Exposes Trailbook operations as tools of the Model Context Protocol. The package provides a handler for `/mcp`, which
 * the host mounts behind authentication.
 *
 * `stdio` serves the standard streams of a process; `proxyStdio` connects them to a remote server.
 */
export * from "./http/handler.ts"
