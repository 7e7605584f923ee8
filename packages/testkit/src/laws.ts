import { agentLaws } from "./law/agentLaws.ts"
import { apiKeyLaws } from "./law/apiKeyLaws.ts"
import { applicationLaws } from "./law/applicationLaws.ts"
import { duplicateInputLaws, emptyInputLaws } from "./law/batchInputLaws.ts"
import { bookingLaws } from "./law/bookingLaws.ts"
import { boundLaws } from "./law/boundLaws.ts"
import { connectionLaws } from "./law/connectionLaws.ts"
import { constraintLaws } from "./law/constraintLaws.ts"
import { conversationLaws } from "./law/conversationLaws.ts"
import { customerLaws } from "./law/customerLaws.ts"
import { deliveryLaws } from "./law/deliveryLaws.ts"
import { deliveryRaces } from "./law/deliveryRaces.ts"
import { dueLaws } from "./law/dueLaws.ts"
import { eventLaws } from "./law/eventLaws.ts"
import { feedLaws } from "./law/feedLaws.ts"
import { fileLaws } from "./law/fileLaws.ts"
import { largeSearchLaws } from "./law/largeSearchLaws.ts"
import type { Law } from "./law/Law.ts"
import { ledgerLaws } from "./law/ledgerLaws.ts"
import { lockLaws } from "./law/lockLaws.ts"
import { modelLaws } from "./law/modelLaws.ts"
import { closureLaws, discountLaws, offeringLaws, sessionLaws } from "./law/offeringLaws.ts"
import { orgLaws } from "./law/orgLaws.ts"
import { overlapLaws } from "./law/overlapLaws.ts"
import { paymentLaws } from "./law/paymentLaws.ts"
import { reportLaws } from "./law/reportLaws.ts"
import { requestKeyLaws } from "./law/requestKeyLaws.ts"
import { searchLaws } from "./law/searchLaws.ts"
import { loginLaws, passkeyLaws, staffLaws } from "./law/staffLaws.ts"
import { subscriptionLaws } from "./law/subscriptionLaws.ts"
import { taskLaws } from "./law/taskLaws.ts"
import { snapshotLaws, transactionLaws } from "./law/transactionLaws.ts"
import { unfinishedLaws } from "./law/unfinishedLaws.ts"
import { webhookLaws } from "./law/webhookLaws.ts"

/** All laws for a storage adapter, in the order in which to implement them. */
export const laws: ReadonlyArray<Law> = [
  ...orgLaws,
  ...apiKeyLaws,
  ...staffLaws,
  ...loginLaws,
  ...passkeyLaws,
  ...applicationLaws,
  ...offeringLaws,
  ...sessionLaws,
  ...closureLaws,
  ...discountLaws,
  ...customerLaws,
  ...bookingLaws,
  ...paymentLaws,
  ...ledgerLaws,
  ...connectionLaws,
  ...searchLaws,
  ...conversationLaws,
  ...largeSearchLaws,
  ...overlapLaws,
  ...taskLaws,
  ...fileLaws,
  ...agentLaws,
  ...requestKeyLaws,
  ...unfinishedLaws,
  ...emptyInputLaws,
  ...boundLaws,
  ...duplicateInputLaws,
  ...constraintLaws,
  ...transactionLaws,
  ...snapshotLaws,
  ...lockLaws,
  ...eventLaws,
  ...feedLaws,
  ...webhookLaws,
  ...deliveryLaws,
  ...deliveryRaces,
  ...subscriptionLaws,
  ...dueLaws,
  ...reportLaws,
  ...modelLaws
]
