import { type OwnEdgeDeck, ownEdgeDeckEndpoints } from '@pult/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'

const edgeDecksQuery = queryOptions({
  queryKey: ['settings', 'edge-decks'],
  queryFn: async ({ signal }) => (await api(ownEdgeDeckEndpoints.list, { signal })).items,
})

/** The decks at edges that act for the user, or wait for the user's consent. */
export const useEdgeDecks = () => useQuery(edgeDecksQuery)

/** Agrees to a deck, or withdraws. */
export function useAnswerEdgeDeck() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ deck: { edge, serial }, agrees }: { deck: OwnEdgeDeck; agrees: boolean }) =>
      api(agrees ? ownEdgeDeckEndpoints.agree : ownEdgeDeckEndpoints.withdraw, {
        params: { edgeId: edge._id, serial },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: edgeDecksQuery.queryKey }),
  })
}
