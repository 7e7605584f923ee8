import type { ProposalView } from "@trailbook/core/proposal"

export const ProposalStatus = ({ proposal: { data, decided_at, status } }: {
  readonly proposal: Pick<ProposalView, "data" | "decided_at" | "status">
}) => {
  if (status === "pending" && decided_at !== null) return <span class="tag info">In progress</span>
  if (data["held"] === "cap") return <span class="tag warn">Needs approval: daily limit reached</span>
  if (data["held"] === "money") return <span class="tag warn">Needs approval: refund</span>
  return <span class={`tag ${tones[status]}`}>{statusLabels[status]}</span>
}

const tones = { pending: "warn", done: "ok", failed: "bad", dismissed: "", expired: "", undone: "" } as const

export const statusLabels = {
  pending: "Needs approval",
  done: "Done",
  failed: "Failed",
  dismissed: "Dismissed",
  expired: "Expired",
  undone: "Undone"
} as const
