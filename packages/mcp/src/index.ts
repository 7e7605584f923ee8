/**
 * Trailbook operations as tools of the Model Context Protocol: one handler for
 * `/mcp`, to be mounted behind a door that knows who asks.
 *
 * `stdio` serves the standard streams of a process, `forward` connects them to a
 * server elsewhere.
 */
export * from "./http/handler.ts"
