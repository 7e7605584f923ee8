/** The MCP endpoint for applications that use Effect. It requires the package `@trailbook/mcp`. */
export { makeMcpMount } from "@trailbook/runtime/service/mcpMount"
