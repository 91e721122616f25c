import { createProbe } from '../places/probe.ts'
import { noAnswerFault } from './file-store-fault.ts'

/** Milliseconds that the file store may take to answer. */
const patience = 2000

/** Returns a question to the file store, which rejects with the fault of a store that does not answer in time. */
export const createStoreProbe = <Value>(call: () => Promise<Value>): (() => Promise<Value>) =>
  createProbe({ call, patience, fault: noAnswerFault })
