import { productEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { isOfServer, typeInWords, useTaskTexts } from '@pult/sdk/task-list'

/** Returns the kind of a task in words: the label in the manifest of its extension, or that of the server's own kinds. */
export function useTaskKind(type: string): string {
  const texts = useTaskTexts()
  const isServers = isOfServer(type, texts)
  const { data } = useCall(productEndpoints.list, {}, { enabled: !isServers })
  if (isServers) return texts.ofServer[type]
  const kinds = data?.items.flatMap(({ tasks }) => tasks)
  return kinds?.find((kind) => kind.type === type)?.label ?? typeInWords(type)
}
