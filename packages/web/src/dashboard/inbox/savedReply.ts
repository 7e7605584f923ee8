import { savedRepliesList } from "@trailbook/core/conversation/savedReplyOperations"
import { notFound } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import type { PageContext } from "../Page.ts"

/** The saved reply that the path names. */
export const savedReply = ({ param, run }: Pick<PageContext, "param" | "run">) =>
  Effect.flatMap(run(savedRepliesList, {}), ({ data }) => {
    const found = data.find(({ id }) => id === param("id"))
    return found === undefined ? notFound("saved reply", "here") : Effect.succeed(found)
  })
