/**
 * Ways for Trailbook mail to leave: so far into a folder.
 */
export * as OutboxFolder from "./OutboxFolder.ts"
