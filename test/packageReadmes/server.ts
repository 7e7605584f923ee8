import { startServer } from "@trailbook/server"

export const server = await startServer({ database: { _tag: "Sqlite", file: "trailbook.sqlite" }, port: 0 })
console.log(server.baseUrl)
