/** The MCP endpoint for applications that use Effect. It requires the package `@trailbook/mcp`. */
export { mcpMount } from "@trailbook/runtime/service/mcpMount"
