/**
 * @since 0.1.0
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { Selection } from "./Selection.ts"

/**
 * Who asks, and what they chose to see. Both come from the connection, never
 * from a message.
 *
 * @since 0.1.0
 * @category models
 */
export interface Caller {
  readonly actor: Actor["Type"]
  readonly selection: Selection
}
