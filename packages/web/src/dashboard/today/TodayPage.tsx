import * as Effect from "effect/Effect"
import type { View } from "../View.ts"

/**
 * What somebody needs to know in the morning.
 *
 * @category views
 */
export const view: View = ({ shown: { org } }) =>
  Effect.succeed({ title: "Today", part: "today", body: <p dir="auto">{org.name}</p> })
