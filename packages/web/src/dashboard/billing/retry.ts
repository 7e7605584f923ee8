import { staffRetryTask } from "@trailbook/core/operation/upkeepOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { orOver } from "../orOver.ts"
import type { Act } from "../View.ts"

/**
 * One that is gone was done meanwhile.
 *
 * @category actions
 */
export const act: Act = ({ param, run }) =>
  Effect.as(orOver(run(staffRetryTask, { id: param("id") })), saying("/dashboard/tasks", "retried"))
