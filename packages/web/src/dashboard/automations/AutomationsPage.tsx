import { automationsList, type AutomationView } from "@trailbook/core/automation"
import { dashboardPreviewAutomations } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import { getUnits, type OrgView } from "@trailbook/core/org"
import type { Format } from "../../text/Format.ts"
import { Button, Card, Link } from "../kit/elements.tsx"
import { page, usePage } from "../kit/page.tsx"
import { getEditableMessage } from "../proposals/ProposalCard.tsx"
import { ActionList, ProposalDetails } from "../proposals/proposalParts.tsx"
import { automationLabels, autonomyLevelLabels, summarizeSettings } from "./automationFields.ts"

type Preview = Operation.Output<typeof dashboardPreviewAutomations>["data"][number]

/** All automations with their settings, and a preview of their next proposals. */
export const automationListPage = page("/automations", {
  *view({ format, isOwner, org, query, run }) {
    const { data } = yield* run(automationsList, {})
    // A preview may query the weather service, which is slow, so it runs only on request.
    const previews = query("preview") === "1" ? (yield* run(dashboardPreviewAutomations, {})).data : undefined
    const refundText = org.refund_ceiling_cents === null
      ? "Every refund needs your approval."
      : `Refunds over ${format.money(org.refund_ceiling_cents)} need your approval.`
    return {
      title: "Automations",
      lead: "Tasks the ops agent handles for you, with or without your approval",
      actions: (
        <>
          <Button to="/proposals">Proposals</Button>
          {previews === undefined && <Button look="main" to="/automations?preview=1">Preview proposals</Button>}
        </>
      ),
      body: (
        <div class="stack">
          {previews !== undefined && (
            <section class="stack" aria-labelledby="now">
              <h2 id="now">Proposal preview</h2>
              <p class="soft">This is a preview. Nothing is sent or changed.</p>
              {previews.map((preview) => <PreviewCard key={preview.automation} preview={preview} />)}
            </section>
          )}
          <div class="cards">
            {data.map((automation) => <AutomationCard key={automation.automation} automation={automation} />)}
          </div>
          <section class="card pad stack tight" aria-labelledby="guards">
            <h2 id="guards">Limits for all automations</h2>
            <p>
              {`The ops agent takes at most ${org.ops_daily_cap} automatic actions in 24 hours. ${refundText} Guests get no automatic messages during quiet hours${
                quietHoursText(format, org)
              }.`}
            </p>
            {isOwner && (
              <p>
                <Link to="/settings">Change these limits in Settings</Link>
              </p>
            )}
          </section>
        </div>
      )
    }
  }
})

const quietHoursText = (format: Format, org: OrgView): string =>
  org.quiet_from === null || org.quiet_to === null
    ? " (none set)"
    : ` (${format.hour(org.quiet_from)} to ${format.hour(org.quiet_to)})`

const AutomationCard = ({ automation }: { readonly automation: AutomationView }) => {
  const { format, isOwner, org } = usePage()
  const { automation: name, dial, updated_at } = automation
  const labels = automationLabels[name]
  return (
    <Card
      id={`a-${name}`}
      title={labels.name}
      headerEnd={<span class={dial === "off" ? "tag end" : "tag ok end"}>{autonomyLevelLabels[dial].name}</span>}
      pad="stack tight"
    >
      <p>{labels.does}</p>
      <ul class="bullets soft small">{labels.never.map((never) => <li key={never}>{never}</li>)}</ul>
      <p class="small">{summarizeSettings(automation, getUnits(org))}</p>
      {updated_at !== null && <p class="soft small">{`Updated ${format.moment(updated_at)}`}</p>}
      {isOwner
        ? (
          <p>
            <Button to={`/automations/${name}`} aria-label={`Edit: ${labels.name}`}>Edit</Button>
          </p>
        )
        : <p class="soft small">Only owners can change this.</p>}
    </Card>
  )
}

const PreviewCard = ({ preview: { automation, dial, proposals } }: { readonly preview: Preview }) => {
  const { format } = usePage()
  return (
    <div class="card">
      <header>
        <h3>{automationLabels[automation].name}</h3>
        <span class="tag end">{autonomyLevelLabels[dial].name}</span>
      </header>
      {proposals.length === 0 && <p class="pad soft">No proposals.</p>}
      {proposals.map((proposal, nth) => {
        const draft = getEditableMessage(proposal.actions)
        return (
          <div key={nth} class="pad stack tight">
            <p>
              <b dir="auto">{proposal.title}</b>
            </p>
            <p class="soft small">{outcomeText(proposal, format)}</p>
            <ProposalDetails data={proposal.data} />
            <ActionList actions={proposal.actions} />
            {draft !== undefined && (
              <details>
                <summary>{draft.letters === 1 ? "Message text" : `First of ${draft.letters} messages`}</summary>
                <p class="letter words" dir="auto">
                  {draft.subject === "" ? draft.body : `${draft.subject}\n\n${draft.body}`}
                </p>
              </details>
            )}
          </div>
        )
      })}
    </div>
  )
}

const outcomeText = ({ outcome, run_at }: Preview["proposals"][number], format: Format): string =>
  outcome === "later" && run_at !== null
    ? `This proposal would run ${format.moment(run_at)}, when quiet hours end.`
    : outcomeTexts[outcome]

const outcomeTexts = {
  there: "This proposal already exists.",
  off: "The automation is off, so nothing would happen.",
  now: "This proposal would run immediately.",
  later: "This proposal would run when quiet hours end.",
  person: "This proposal would need your approval.",
  cap: "This proposal would need your approval because the daily limit has been reached.",
  money: "This proposal would need your approval because the refund exceeds the automatic limit."
} as const
