import type { Migration } from "@trailbook/sql/migrate"
import { create } from "./migrations/0001_create.ts"
import { webhooks } from "./migrations/0002_webhooks.ts"
import { subscriptions } from "./migrations/0003_subscriptions.ts"
import { hosted } from "./migrations/0004_hosted.ts"
import { judged } from "./migrations/0005_judged.ts"
import { growth } from "./migrations/0006_growth.ts"
import { parts } from "./migrations/0007_parts.ts"
import { held } from "./migrations/0008_held.ts"
import { tasks } from "./migrations/0009_tasks.ts"
import { conversations } from "./migrations/0010_conversations.ts"
import { files } from "./migrations/0011_files.ts"
import { staff } from "./migrations/0012_staff.ts"
import { payments } from "./migrations/0013_payments.ts"
import { agent } from "./migrations/0014_agent.ts"
import { drafts } from "./migrations/0015_drafts.ts"
import { questions } from "./migrations/0016_questions.ts"
import { proposalStates } from "./migrations/0017_proposal_states.ts"
import { guests } from "./migrations/0018_guests.ts"
import { people } from "./migrations/0019_people.ts"
import { applications } from "./migrations/0020_applications.ts"
import { touched } from "./migrations/0021_touched.ts"
import { passkeys } from "./migrations/0022_passkeys.ts"
import { countedOnce } from "./migrations/0023_counted_once.ts"
import { messageNotices } from "./migrations/0024_message_notices.ts"
import { unproven } from "./migrations/0025_unproven.ts"
import { refusals } from "./migrations/0026_refusals.ts"
import { auditActors } from "./migrations/0027_audit_actors.ts"
import { units } from "./migrations/0028_units.ts"

/**
 * Every change of a schema of this name, in order.
 *
 * @category migrations
 */
export const migrations = (schema: string): ReadonlyArray<Migration> => [
  { name: "create", statements: create(schema) },
  { name: "webhooks", statements: webhooks(schema) },
  { name: "subscriptions", statements: subscriptions(schema) },
  { name: "hosted", statements: hosted(schema) },
  { name: "judged", statements: judged(schema) },
  { name: "growth", statements: growth(schema) },
  { name: "parts", statements: parts(schema) },
  { name: "held", statements: held(schema) },
  { name: "tasks", statements: tasks(schema) },
  { name: "conversations", statements: conversations(schema) },
  { name: "files", statements: files(schema) },
  { name: "staff", statements: staff(schema) },
  { name: "payments", statements: payments(schema) },
  { name: "agent", statements: agent(schema) },
  { name: "drafts", statements: drafts(schema) },
  { name: "questions", statements: questions(schema) },
  { name: "proposal_states", statements: proposalStates(schema) },
  { name: "guests", statements: guests(schema) },
  { name: "people", statements: people(schema) },
  { name: "applications", statements: applications(schema) },
  { name: "touched", statements: touched(schema) },
  { name: "passkeys", statements: passkeys(schema) },
  { name: "counted_once", statements: countedOnce(schema) },
  { name: "message_notices", statements: messageNotices(schema) },
  { name: "unproven", statements: unproven(schema) },
  { name: "refusals", statements: refusals(schema) },
  { name: "audit_actors", statements: auditActors(schema) },
  { name: "units", statements: units(schema) }
]
