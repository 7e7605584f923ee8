/** Writes `docs/reference/season.md`: the ops agent's results for one simulated season. */
import { automationNames } from "@trailbook/core/automation"
import type { ProposalView } from "@trailbook/core/proposal"
import { page, table, writtenNotice } from "../docs/reference/markdown.ts"
import { days } from "./play.ts"
import type { Season } from "./season.ts"

/** The seed for the season on the page. */
export const shownSeed = 15

type Counts = (proposals: ReadonlyArray<ProposalView>) => number

const count = (isCounted: (proposal: ProposalView) => boolean): Counts => (proposals) =>
  proposals.filter(isCounted).length

const acted = (kind: string): Counts => (proposals) =>
  proposals.flatMap(({ actions }) => actions).filter((action) => action.kind === kind && action.result?.ok === true)
    .length

const fates: ReadonlyArray<readonly [title: string, counts: Counts]> = [
  ["proposed", ({ length }) => length],
  ["ran automatically", count(({ decided_by, status }) => decided_by === "agent" && status === "done")],
  ["approved", count(({ decided_by, status }) => decided_by !== "agent" && (status === "done" || status === "failed"))],
  ["dismissed", count(({ status }) => status === "dismissed")],
  ["expired", count(({ status }) => status === "expired")],
  ["undone", count(({ status }) => status === "undone")],
  ["failed", count(({ status }) => status === "failed")],
  ["held for cap or refund limit", count(({ data }) => data.held !== undefined)]
]

const deeds: ReadonlyArray<readonly [what: string, counts: Counts]> = [
  ["sessions canceled", acted("cancel_session")],
  ["bookings canceled", acted("cancel_booking")],
  ["bookings moved", acted("move_booking")],
  ["sessions opened", acted("create_session")],
  ["messages", acted("message")],
  ["reminders", acted("remind")]
]

export const seasonPage = ({ broken, proposals }: Season): string =>
  page(
    "# A season with the ops agent",
    "",
    writtenNotice,
    "",
    `The test simulates ${days} days of an outfitter. Guests book, pay, move, and cancel. The weather changes, weather services fail, and the server is off`,
    "on some days. The owner approves, dismisses, undoes, or ignores proposals. The test runs 200 such seasons, each with its own settings, cap, refund",
    "limit, and owner. Every season must keep these rules: no seat is sold twice, no automatic message is sent at night, no guest gets a second or a late",
    "reminder, no cap or refund limit is exceeded, no trip is canceled because of missing data, and a canceled trip or an undone session is closed. The",
    "tables show the agent's results for one season.",
    "",
    table(
      ["automation", ...fates.map(([title]) => title)],
      automationNames.map((name) => {
        const ownProposals = proposals.filter(({ automation }) => automation === name)
        return [`\`${name}\``, ...fates.map(([, counts]) => String(counts(ownProposals)))]
      })
    ),
    "",
    table(["result", "count"], deeds.map(([what, counts]) => [what, String(counts(proposals))])),
    "",
    `Rules broken: ${
      broken.length === 0 ? "none" : broken.length
    }. Checked by \`test/season\`; the rules are in \`test/season/rules.ts\`.`
  )
