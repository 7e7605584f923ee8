import { type Result, run } from "../reliability/campaign.ts"
import { failOver, startPair, switchOver } from "./Pair.ts"

export interface FailoverOptions {
  readonly switchovers: number
  readonly seed: string
  readonly onRound?: (line: string) => void
}

/** Switches the primary behind three servers while guests book. Planned switchovers and crashes alternate. */
export const failover = async ({ switchovers: rounds, ...options }: FailoverOptions): Promise<Result> => {
  const target = await startPair()
  try {
    return await run({
      name: "Postgres with a standby, 3 servers",
      target,
      servers: 3,
      rounds,
      faults: [switchOver(target), failOver(target)],
      ...options
    })
  } finally {
    await target.close()
  }
}
