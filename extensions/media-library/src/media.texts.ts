import { textsOf } from '@pult/sdk'
import { deDE } from './media.texts.de-DE.ts'
import { en } from './media.texts.en.ts'

const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString('de-DE')} ${count === 1 ? one : many}`

export const de = {
  search: 'Search media',
  tagsFilter: 'Show only what carries',
  upload: 'Upload',
  uploadLabel: 'Pictures, videos and sounds to upload',
  dropHere: 'Drop to upload',
  dropText: 'Pictures, videos and sounds become media of this project.',
  view: 'View',
  grid: 'Grid',
  list: 'List',
  media: 'Media',
  pages: 'Pages of media',
  count: (total: number, isCapped: boolean) =>
    `${isCapped ? 'more than ' : ''}${plural(total, 'medium', 'media')}`,
  keys: 'Arrow keys move, Enter opens, Space selects, Delete deletes.',
  loadingFailed: 'The media could not be loaded',
  empty: 'No media yet',
  emptyText: 'Upload pictures, videos and sounds, or drop them anywhere on this page.',
  emptyReader: 'Nobody has uploaded anything to this project yet.',
  nothingFound: 'Nothing found',
  nothingFoundText: 'Try fewer or other words, or take a tag out of the filter.',
  clearSearch: 'Show all',
  processing: 'Formats are being made',
  failed: 'Formats failed',
  types: { image: 'Picture', video: 'Video', audio: 'Sound' },
  select: (label: string) => `Select ${label}`,

  name: 'Name',
  type: 'Type',
  size: 'Size',
  tags: 'Tags',
  changed: 'Changed',
  format: 'Format',
  dimensions: 'Width × height',
  actions: 'Actions',

  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear selection',
  addTags: 'Add tags',
  addTagsTitle: (count: number) => `Tag ${plural(count, 'medium', 'media')}`,
  addTagsText: 'They are added to the tags that each carries already.',
  tagged: (count: number) => `${plural(count, 'medium', 'media')} tagged`,
  taggingFailed: 'Tagging failed',
  delete: 'Delete',
  deleteQuestion: (count: number) => (count === 1 ? 'Delete this medium?' : `Delete ${count} media?`),
  deleteText: (labels: readonly string[]) => {
    const shown = labels.slice(0, 3).join(', ')
    const more = labels.length - 3
    return `${shown}${more > 0 ? ` and ${more} more` : ''}: all formats will be gone, and pages that show them will have gaps. This can’t be undone.`
  },
  deleted: (count: number) => `${plural(count, 'medium', 'media')} deleted`,
  deletingFailed: 'Deleting failed',
  cancel: 'Cancel',
  save: 'Save',

  uploading: (name: string) => `Uploading ${name}`,
  finishing: (name: string) => `Processing ${name}`,
  waiting: (count: number) => (count === 1 ? '1 more file' : `${count} more files`),
  abort: 'Abort',
  uploadFailed: 'Upload failed',
  retry: 'Retry',
  dismiss: 'Dismiss',

  back: 'All media',
  gone: 'This medium is gone',
  goneText: 'Somebody has deleted it, or the address is wrong.',
  oneLoadingFailed: 'The medium could not be loaded',
  details: 'Details',
  rename: 'Save name',
  renamed: 'Name saved',
  renamingFailed: 'The name could not be saved',
  tagsSaveFailed: 'The tags could not be saved',
  tagPlaceholder: 'Type a tag, then Enter',
  removeTag: (tag: string) => `Remove ${tag}`,
  formats: 'Formats',
  formatNames: { original: 'Original', large: 'Large', medium: 'Medium', thumb: 'Thumb' } as Record<
    string,
    string
  >,
  noDimensions: '–',
  copyUrl: 'Copy url',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  urlsEnd: 'Urls are good for some hours; whoever knows one may see the file until then.',
  replace: 'Replace',
  replaceLabel: 'File that takes its place',
  replaced: 'Replaced',
  replacingFailed: 'Replacing failed',
  tryAgain: 'Make formats again',
  tryAgainFailed: 'The formats could not be made',
  failedText: 'The picture is shown as it was uploaded. The task says why.',
  changedBy: (name: string, at: string) => `Changed by ${name}, ${at}`,
  changedAt: (at: string) => `Changed ${at}`,
}

export const texts = textsOf({ de, en, 'de-DE': deDE })
