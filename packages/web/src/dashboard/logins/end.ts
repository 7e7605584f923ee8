import { staffEndLogin } from "@trailbook/core/operation/staffOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { orOver } from "../orOver.ts"
import type { Act } from "../View.ts"

export const act: Act = ({ param, run }) =>
  Effect.as(orOver(run(staffEndLogin, { id: param("id") })), saying("/dashboard/logins", "ended"))
