import { isReadOnly, type Operation } from "@trailbook/core/operation/Operation"

/**
 * Hints that a client can show before a call. Every hint is set explicitly, because the protocol's defaults mark a tool
 * as destructive and open-world.
 */
export type Annotations = {
  title: string
  readOnlyHint: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint: boolean
}

export const toAnnotations = (operation: Operation.Any): Annotations => {
  const { hints, tool: { title } } = operation
  const openWorldHint = hints.openWorld === true
  // The other two hints have no meaning for a read-only tool.
  if (isReadOnly(operation)) return { title, readOnlyHint: true, openWorldHint }
  return {
    title,
    readOnlyHint: false,
    destructiveHint: hints.destructive === true,
    idempotentHint: hints.idempotent === true,
    openWorldHint
  }
}
