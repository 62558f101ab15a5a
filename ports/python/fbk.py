"""Opening books of old ChessBase: .fbk. (docs/formats/cbf.md §12)"""

from board import Board
from game import Game

DEEPEST = 4096


class Node:
    """A place of the book: its position, and the moves from it."""

    def __init__(self, board):
        self.board = board
        self.moves = {}  # move -> [node, weak]


class Base:
    """A book is a base of one game. (cbf §12.10)"""

    def __init__(self, data):
        self.data, self.length = data, 1

    def game(self, _):
        game = Game()
        game.tags.append(("CbfBook", "experimental"))
        root = Node(Board())
        error = read(self.data, root)
        write(root, game)
        return game, error


def read(data, node):
    """Hangs the moves of a book below a node, and returns what is wrong."""
    pile = []
    for at in range(0, len(data), 2):
        # cbf §12.5
        if at + 1 == len(data):
            return "half a move"
        first, second = data[at:at + 2]
        # cbf §12.2
        if not first & 0x40:
            # cbf §12.9
            if len(pile) == DEEPEST:
                return "too many alternatives are open"
            pile.append(node)
        move = chess_move(first & 63, second & 63, node.board)
        # cbf §12.5
        if not node.board.legal(move):
            return "the move is not legal"
        # cbf §12.6
        if move not in node.moves:
            board = node.board.copy()
            board.play(move)
            node.moves[move] = [Node(board), False]
        # cbf §12.8
        node.moves[move][1] |= bool(second & 0x80)
        # cbf §12.1
        if not first & 0x80:
            node = node.moves[move][0]
        elif pile:
            # cbf §12.3
            node = pile.pop()
        else:
            return "bytes behind the end" if at + 2 < len(data) else None
    return None


def chess_move(start, target, board):
    """cbf §12.4"""
    piece = board.squares[start]
    if piece == board.own("k") and abs(start - target) == 2 and start // 8 == target // 8:
        rook = board.castling_rook(board.white, target < start)
        return start, target if rook is None else rook, ""
    last = piece == board.own("p") and target // 8 == (7 if board.white else 0)
    return start, target, "q" if last else ""


def write(root, game):
    """cbf §12.10: the first alternative is the main line."""
    stack = [("line", root)]
    while stack:
        what, node = stack.pop()
        if what == "line":
            moves = list(node.moves.items())
            stack += [("line", moves[0][1][0])] if moves else []
            for alternative in moves[:0:-1]:
                stack += [("close", None), ("line", alternative[1][0]), ("move", alternative), ("open", None)]
            stack += [("move", moves[0])] if moves else []
        elif what == "move":
            move, (_, weak) = node
            game.move(move)
            if weak:
                game.nag(2)
        elif what == "open":
            game.open()
        else:
            game.close()
