/** Trailbook's server: HTTP, background jobs, email, payments, and metrics in one process. */
export { type LineWriter, makeLineWriter } from "@trailbook/runtime/LineWriter"
export { type RunningServer, runServer, type ServerOptions } from "./runServer.ts"
export { startServer } from "./startServer.ts"
