// The console's components for extensions. The console loads their styles, so an app needs none.
export * from '@pult/ui'
export { drawKeyLabel, type KeyLabelOptions, type KeyPlace } from './decks/draw-key-label.ts'
export {
  EdgeInstanceSelect,
  type EdgeInstanceSelectProps,
  type EdgeSelection,
} from './edges/EdgeInstanceSelect.tsx'
export { MediaImage, type MediaImageProps } from './media/MediaImage.tsx'
export { MediaPlayer, type MediaPlayerProps } from './media/MediaPlayer.tsx'
export { formatFor } from './media/media-image.ts'
export { BackToList } from './ui/BackToList.tsx'
export { ConfirmedAction, type ConfirmedActionProps } from './ui/ConfirmedAction.tsx'
export { FileUpload, type FileUploadProps } from './ui/FileUpload.tsx'
export { keepFocus } from './ui/keep-focus.ts'
export { ListSearch, type ListSearchProps } from './ui/ListSearch.tsx'
export { Pager, type PagerProps } from './ui/Pager.tsx'
export { UploadStatus } from './ui/UploadStatus.tsx'
export { type ListSearchOptions, type ListSearchState, useListSearch } from './ui/use-list-search.ts'
