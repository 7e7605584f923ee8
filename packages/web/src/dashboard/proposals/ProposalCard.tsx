import type { ActionView, ProposalView } from "@trailbook/core/proposal"
import { createHash } from "node:crypto"
import type { ComponentChildren } from "preact"
import type { Format } from "../../text/Format.ts"
import { automationLabels } from "../automations/automationFields.ts"
import { ErrorNote, HiddenFields, Icon } from "../kit/elements.tsx"
import { type RejectedForm, usePage } from "../Page.ts"
import { ActionList, ProposalDetails, ProposalStatus, statusLabels, toNonEmptyText } from "./proposalParts.tsx"

interface ProposalProps {
  readonly proposal: ProposalView
  readonly refused: RejectedForm | undefined
}

/** A proposal with its reasons, actions, editable message, and decision buttons. */
export const ProposalCard = ({ proposal, refused }: ProposalProps) => {
  const { format } = usePage()
  const { actions, data, id, title } = proposal
  return (
    <article class="card proposal" id={id} aria-labelledby={`t-${id}`}>
      <header>
        <h2 id={`t-${id}`} dir="auto">{title}</h2>
        <span class="end tags">
          <span class="tag">{automationLabels[proposal.automation].name}</span>
          <ProposalStatus proposal={proposal} />
        </span>
      </header>
      <div class="pad stack">
        {refused !== undefined && <ErrorNote>{refused.message}</ErrorNote>}
        <ProposalDetails data={data} />
        <ActionList actions={actions} />
        <p class="soft small">{historyText(proposal, format)}</p>
        {proposal.error !== null && <p class="note wrong" dir="auto">{`Stopped: ${proposal.error}`}</p>}
        {proposal.status === "pending" && <DecisionForm proposal={proposal} refused={refused} />}
        {proposal.reversible && (
          <form class="acts" method="post">
            <HiddenFields values={{ id, do: "undo" }} />
            <button class="btn">
              <Icon name="undo-2" />
              Undo
            </button>
            <span class="soft small">
              Undo cancels the new departure. You can undo until the first booking. No email is sent.
            </span>
          </form>
        )}
      </div>
    </article>
  )
}

const historyText = (proposal: ProposalView, format: Format): string => {
  const { created_at: createdAt, decided_at, decided_by, done_at, expires_at, status } = proposal
  const facts = [`Proposed ${format.moment(createdAt)}`]
  if (decided_at !== null && decided_by !== null) {
    const verb = status === "dismissed" ? "dismissed" : decided_by === "agent" ? "decided" : "approved"
    facts.push(`${verb} by ${deciders[decided_by]} ${format.moment(decided_at)}`)
  }
  if (done_at !== null) facts.push(`${statusLabels[status].toLowerCase()} ${format.moment(done_at)}`)
  if (status === "pending" && expires_at !== null) facts.push(`decide by ${format.moment(expires_at)}`)
  if (status === "expired") facts.push("expired or no longer applies")
  return `${facts.join(" · ")} (${format.zone(createdAt)})`
}

const deciders = {
  dashboard: "your team",
  api: "an API client",
  mcp: "your assistant",
  agent: "the ops agent"
} as const

const DecisionForm = ({ proposal, refused }: ProposalProps) => {
  const { actions, decided_at, id, money } = proposal
  // The proposal has been decided, but its actions can be stopped until the first one starts.
  if (decided_at !== null) {
    return actions.some(({ result }) => result !== undefined)
      ? <p class="soft small">The actions are running.</p>
      : (
        <form class="acts" method="post">
          <HiddenFields values={{ id, do: "dismiss" }} />
          <button class="btn">Dismiss</button>
          <span class="soft small">
            The ops agent runs the actions when quiet hours end. You can dismiss the proposal until then.
          </span>
        </form>
      )
  }
  const draft = getEditableMessage(actions)
  const values = refused?.form["do"] === "approve" ? refused.form : undefined
  return (
    <form class="stack" method="post" data-once="">
      <HiddenFields values={{ id, was: draft === undefined ? undefined : computeMessageDigest(draft) }} />
      {draft !== undefined && (
        <details open={draft.letters === 1 || values !== undefined}>
          <summary>{draft.letters === 1 ? "Message text" : `First of ${draft.letters} messages`}</summary>
          <div class="stack tight">
            <DraftField id={`subject-${id}`} label="Subject">
              <input
                id={`subject-${id}`}
                name="subject"
                maxLength={200}
                dir="auto"
                value={values?.["subject"] ?? draft.subject}
              />
            </DraftField>
            <DraftField id={`body-${id}`} label="Message">
              <textarea id={`body-${id}`} name="body" rows={6} maxLength={5000} dir="auto">
                {values?.["body"] ?? draft.body}
              </textarea>
            </DraftField>
            {draft.letters > 1 && <p class="hint">Changes apply to the first message only.</p>}
          </div>
        </details>
      )}
      <div class="acts">
        <button class="btn main" name="do" value="approve">
          <Icon name="check" />
          Approve
        </button>
        <button class="btn" name="do" value="dismiss" formNoValidate>Dismiss</button>
      </div>
      <p class="soft small">{approvalText(actions, money)}</p>
    </form>
  )
}

const DraftField = ({ children, id, label }: {
  readonly id: string
  readonly label: string
  readonly children: ComponentChildren
}) => (
  <p class="field">
    <label for={id}>{label}</label>
    {children}
  </p>
)

const approvalText = (actions: ProposalView["actions"], money: boolean): string => {
  if (actions.length === 0) return "This proposal has no actions. Approve it to close it."
  const notifiesGuests = actions.some(({ kind }) => kind !== "create_session")
  return [
    notifiesGuests
      ? "Approving starts these actions immediately. Guests are notified, and this cannot be undone."
      : "Approving starts these actions immediately.",
    ...money ? ["Refunds are issued."] : [],
    "Actions that no longer apply are skipped."
  ].join(" ")
}

/** Returns the editable text of the first message or reminder, and how many there are. */
export const getEditableMessage = (actions: ReadonlyArray<typeof ActionView.Type>) => {
  const letters = actions.filter(({ kind }) => kind === "message" || kind === "remind")
  const [first] = letters
  const body = toNonEmptyText(first?.facts["body"])
  return first === undefined || body === undefined
    ? undefined
    : { subject: toNonEmptyText(first.facts["subject"]) ?? "", body, letters: letters.length }
}

/** Returns a digest of the text. When the form is submitted, the digest shows whether the text was edited. */
export const computeMessageDigest = ({ body, subject }: { readonly subject: string; readonly body: string }): string =>
  createHash("sha256").update(JSON.stringify([subject, body].map((text) => text.replaceAll(/\s+/g, " ").trim())))
    .digest("hex")
