/**
 * Ways for Trailbook mail to leave: so far into a folder.
 *
 * @since 0.1.0
 */
export * as OutboxFolder from "./OutboxFolder.ts"
