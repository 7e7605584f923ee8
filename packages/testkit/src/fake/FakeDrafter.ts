/**
 * A language model that obeys every guest: whatever the guest wrote last is what it
 * would have the outfitter say, word for word. No model is easier to lead.
 *
 * It promises that
 * - it remembers each prompt that it was given, in the order in which they came;
 * - it answers with the last words of the guest in it, or with what it was told to
 *   answer;
 * - while it is told to refuse it fails with `DraftFailed`.
 */
import { Drafter, DraftFailed } from "@trailbook/core/conversation/Drafter"
import type { Prompt } from "@trailbook/core/conversation/draftPrompt"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class FakeDrafter extends Context.Tag("@trailbook/testkit/FakeDrafter")<
  FakeDrafter,
  {
    /** Every prompt, oldest first. */
    readonly asked: Effect.Effect<ReadonlyArray<Prompt>>
    /** From now on this is what it answers; left out, it obeys again. */
    readonly say: (answer?: Effect.Effect<string>) => Effect.Effect<void>
    /** From now on everything fails, or no longer does. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeDrafter | Drafter> = Layer.effectContext(
    Effect.sync(() => {
      const asked: Array<Prompt> = []
      let refuses = false
      let says: Effect.Effect<string> | undefined
      const ghostwriter = FakeDrafter.of({
        asked: Effect.sync(() => [...asked]),
        say: (answer) =>
          Effect.sync(() => {
            says = answer
          }),
        refuse: (does) =>
          Effect.sync(() => {
            refuses = does
          })
      })
      const drafter = Drafter.of({
        draft: (prompt) =>
          Effect.suspend(() => {
            asked.push(prompt)
            if (refuses) return new DraftFailed({ message: "It has nothing to say." })
            // It takes a while, in which others ask.
            return Effect.zipRight(Effect.yieldNow(), says ?? Effect.sync(() => obeyed(prompt)))
          })
      })
      return Context.make(FakeDrafter, ghostwriter).pipe(Context.add(Drafter, drafter))
    })
  )
}

const obeyed = ({ material }: Prompt): string => {
  const { messages }: { readonly messages: ReadonlyArray<{ readonly from: string; readonly text: string }> } = JSON
    .parse(material)
  return messages.findLast(({ from }) => from === "guest")?.text ?? "Hello."
}
