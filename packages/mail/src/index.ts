/**
 * Trailbook mail over SMTP, to a folder, or to the console.
 *
 * @since 0.1.0
 */
export * as OutboxFolder from "./OutboxFolder.ts"
