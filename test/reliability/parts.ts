/** The parts of `npm run test:reliability`, by name. */
import { attacks } from "./attacks.ts"
import { run } from "./campaign.ts"
import { campaigns } from "./campaigns.ts"
import { deliveries } from "./deliveries.ts"
import { feed } from "./feed.ts"
import type { Report } from "./report.ts"
import { reportOf } from "./report.ts"

export type Print = (text: string) => void

export const parts = (seed: string, print: Print): Record<string, () => Promise<Report>> => ({
  ...Object.fromEntries(
    Object.entries(campaigns(seed)).map(([name, part]) => [
      name,
      async () => reportOf(await part((campaign) => run({ ...campaign, onRound: print })))
    ])
  ),
  feed: () => feed(seed, print),
  deliveries: () => deliveries(seed, print),
  attacks: () => attacks(print)
})
