export function* readCbh() {}
