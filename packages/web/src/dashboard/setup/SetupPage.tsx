import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { Icon } from "../kit/elements.tsx"
import type { PageView } from "../Page.ts"
import { ActivityStep } from "./ActivityStep.tsx"
import { ScheduleStep } from "./ScheduleStep.tsx"
import { loadSetupProgress } from "./setupState.ts"
import { YourPage } from "./YourPage.tsx"

export { act } from "./act.ts"

/** Guided setup of the first offering: activity, schedule, and a preview of the booking page. */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { clock, refused, shown } = asked
    const begun = yield* loadSetupProgress(asked)
    const isBookable = begun?.standing.is === "bookable"
    const tomorrow = LocalDate.addDays(clock.today, 1)
    return {
      title: isBookable ? "Guests can book now" : "Set up your first activity",
      part: "offerings",
      isLive: false,
      lead: isBookable
        ? "Your booking page is ready. You can change everything later."
        : "Three short steps. You can continue later.",
      body: (
        <ol class="stack form steps">
          <Step at={1} title="Your activity" state={begun === undefined ? "now" : "done"}>
            <ActivityStep begun={begun} refused={refused} shown={shown} />
          </Step>
          <Step
            at={2}
            title="When"
            state={begun === undefined ? "later" : isBookable ? "done" : "now"}
          >
            {begun === undefined
              ? <p class="soft">Weekly hours or scheduled departures.</p>
              : <ScheduleStep begun={begun} refused={refused} shown={shown} tomorrow={LocalDate.format(tomorrow)} />}
          </Step>
          <Step at={3} title="Your booking page" state={isBookable ? "now" : "later"}>
            <YourPage isBookable={isBookable} offeringId={begun?.offering.id} shown={shown} />
          </Step>
        </ol>
      )
    }
  })

const Step = (
  { at, children, state, title }: {
    readonly at: number
    readonly title: string
    readonly state: "done" | "now" | "later"
    readonly children: ComponentChildren
  }
) => (
  <li class="card" aria-current={state === "now" ? "step" : undefined}>
    <header>
      <span class={state === "done" ? "who on" : "who"} aria-hidden="true">
        {state === "done" ? <Icon name="check" /> : at}
      </span>
      <h2>
        {title}
        {state === "done" && <span class="sr">(done)</span>}
      </h2>
    </header>
    <div class="pad stack">{children}</div>
  </li>
)
