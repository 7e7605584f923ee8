/**
 * Trailbook operations as tools of the Model Context Protocol: one handler for `/mcp`, to be mounted behind
 * authentication.
 *
 * `stdio` serves the standard streams of a process; `proxyStdio` connects them to a remote server.
 */
export * from "./http/handler.ts"
