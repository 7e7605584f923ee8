import { applicationLaws } from "./law/access/applicationLaws.ts"
import { apiKeyLaws, orgLaws } from "./law/access/orgLaws.ts"
import { requestKeyLaws } from "./law/access/requestKeyLaws.ts"
import { loginLaws, passkeyLaws, staffLaws } from "./law/access/staffLaws.ts"
import { bookingLaws } from "./law/booking/bookingLaws.ts"
import { closureLaws, discountLaws, offeringLaws, sessionLaws } from "./law/booking/offeringLaws.ts"
import { overlapLaws } from "./law/booking/overlapLaws.ts"
import { ledgerLaws, paymentLaws } from "./law/booking/paymentLaws.ts"
import { reportLaws } from "./law/booking/reportLaws.ts"
import { boundLaws, duplicateInputLaws, emptyInputLaws } from "./law/boundLaws.ts"
import { connectionLaws } from "./law/connectionLaws.ts"
import { constraintLaws } from "./law/constraintLaws.ts"
import { deliveryLaws } from "./law/event/deliveryLaws.ts"
import { deliveryRaceLaws } from "./law/event/deliveryRaceLaws.ts"
import { eventLaws } from "./law/event/eventLaws.ts"
import { feedLaws } from "./law/event/feedLaws.ts"
import { subscriptionLaws } from "./law/event/subscriptionLaws.ts"
import { webhookLaws } from "./law/event/webhookLaws.ts"
import type { Law } from "./law/Law.ts"
import { lockLaws } from "./law/lockLaws.ts"
import { conversationLaws } from "./law/message/conversationLaws.ts"
import { customerLaws } from "./law/message/customerLaws.ts"
import { fileStoreLaws } from "./law/message/fileStoreLaws.ts"
import { largeSearchLaws, searchLaws } from "./law/message/searchLaws.ts"
import { modelLaws } from "./law/modelLaws.ts"
import { agentLaws } from "./law/task/agentLaws.ts"
import { pendingWorkLaws, resumableJobLaws } from "./law/task/pendingWorkLaws.ts"
import { taskLaws } from "./law/task/taskLaws.ts"
import { snapshotLaws, transactionLaws } from "./law/transactionLaws.ts"

/** All laws for a storage adapter. When you write an adapter, implement it in this order. */
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
  ...fileStoreLaws,
  ...agentLaws,
  ...requestKeyLaws,
  ...resumableJobLaws,
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
  ...deliveryRaceLaws,
  ...subscriptionLaws,
  ...pendingWorkLaws,
  ...reportLaws,
  ...modelLaws
]
