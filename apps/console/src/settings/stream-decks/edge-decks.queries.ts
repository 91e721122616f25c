import { type OwnEdgeDeck, ownEdgeDeckEndpoints } from '@pult/contract'
import { useCall, useChange } from '@pult/sdk'

/** The decks at edges that act for the user, or wait for the user's consent. */
export const useEdgeDecks = () => useCall(ownEdgeDeckEndpoints.list, {}, { select: ({ items }) => items })

const touches = [ownEdgeDeckEndpoints.list]
const paramsOf = ({ edge, serial }: OwnEdgeDeck) => ({ params: { edgeId: edge._id, serial } })

export const useAgreeToEdgeDeck = () => useChange(ownEdgeDeckEndpoints.agree, paramsOf, { touches })

/** Withdraws the user's consent, or declines. */
export const useWithdrawFromEdgeDeck = () => useChange(ownEdgeDeckEndpoints.withdraw, paramsOf, { touches })
