/** `docs/reference/season.md`: what the ops agent did in one of the seasons that are played. */
import { automations } from "@trailbook/core/automation/Automation"
import type { ProposalView } from "@trailbook/core/proposal/ProposalView"
import { page, table, written } from "../docs/reference/markdown.ts"
import { days } from "./play.ts"
import type { Season } from "./season.ts"

/** The seed of the season on the page. */
export const shown = 15

type Counts = (proposals: ReadonlyArray<ProposalView>) => number

const count = (those: (proposal: ProposalView) => boolean): Counts => (proposals) => proposals.filter(those).length

const acted = (kind: string): Counts => (proposals) =>
  proposals.flatMap(({ actions }) => actions).filter((action) => action.kind === kind && action.result?.ok === true)
    .length

const fates: ReadonlyArray<readonly [title: string, counts: Counts]> = [
  ["proposed", ({ length }) => length],
  ["did by itself", count(({ decided_by, status }) => decided_by === "agent" && status === "done")],
  ["approved", count(({ decided_by, status }) => decided_by !== "agent" && (status === "done" || status === "failed"))],
  ["dismissed", count(({ status }) => status === "dismissed")],
  ["expired", count(({ status }) => status === "expired")],
  ["taken back", count(({ status }) => status === "undone")],
  ["failed", count(({ status }) => status === "failed")],
  ["held for cap or money", count(({ data }) => data.held !== undefined)]
]

const deeds: ReadonlyArray<readonly [what: string, counts: Counts]> = [
  ["sessions cancelled", acted("cancel_session")],
  ["bookings cancelled", acted("cancel_booking")],
  ["bookings moved", acted("move_booking")],
  ["sessions opened", acted("create_session")],
  ["messages", acted("message")],
  ["reminders", acted("remind")]
]

export const seasonPage = ({ broken, proposals }: Season): string =>
  page(
    "# A season with the ops agent",
    "",
    written,
    "",
    `${days} days of an outfitter who does not exist: guests who book, pay, move and cancel, weather that turns, services that are asked for it and`,
    "do not answer, days without a server, and an owner who approves, dismisses, takes back, or looks at nothing. 200 such seasons are played, each",
    "with dials, a cap, a ceiling and an owner of its own, and none may break a rule: nothing is sold twice, nobody hears of anything at night by the",
    "agent's own doing, nobody is reminded twice or too late, no cap and no ceiling is passed, nothing is cancelled over what nobody knew, and what was",
    "cancelled or taken back is over. This is what the agent did in one of them.",
    "",
    table(
      ["automation", ...fates.map(([title]) => title)],
      automations.map((name) => {
        const own = proposals.filter(({ automation }) => automation === name)
        return [`\`${name}\``, ...fates.map(([, counts]) => String(counts(own)))]
      })
    ),
    "",
    table(["what came of it", "how often"], deeds.map(([what, counts]) => [what, String(counts(proposals))])),
    "",
    `Rules broken: ${
      broken.length === 0 ? "none" : broken.length
    }. Held by \`test/season\`; the rules are in \`test/season/rules.ts\`.`
  )
