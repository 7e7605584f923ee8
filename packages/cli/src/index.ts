/** The `trailbook` command. */
export { main } from "./command/main.ts"
