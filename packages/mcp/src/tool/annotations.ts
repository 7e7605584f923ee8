import { isReadOnly, type Operation } from "@trailbook/core/operation/Operation"

/**
 * What a client may tell its user before a call. Nothing is left to the
 * protocol's defaults, by which a tool that says nothing destroys things and
 * speaks to the world.
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
  // The other two mean nothing for a tool that changes nothing.
  if (isReadOnly(operation)) return { title, readOnlyHint: true, openWorldHint }
  return {
    title,
    readOnlyHint: false,
    destructiveHint: hints.destructive === true,
    idempotentHint: hints.idempotent === true,
    openWorldHint
  }
}
