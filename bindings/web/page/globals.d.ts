// What workers have and the types of pages do not know.

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
