/* A reader without a window: the model of a game list and of a move list, as a program with a window such as
 * ChessX or Scid would fill them. Headers are read when a row is shown, on the thread of the list; moves
 * become a tree.
 *
 *     $ reader fixtures/scid/plain/base.si4 event=opera 1
 *     1 game of 6
 *     row 1: game 2, Morphy, Paul - Duke and Count, 1-0
 *     1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8#
 *     1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17
 *
 * A variation is shown in brackets behind the move that it replaces:
 *
 *     $ reader fixtures/scid/variations/base.si4 games=2 1
 *     1 game of 7
 *     row 1: game 2, ? - ?, *
 *     1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6 (2... d6 3. f4 (3. g3 Nc6 (3... g6 4. Bg2 (4. d3 Bg7 (4... Nc6 5. Bg2 (5. Be3 Bg7 (5... e5 6. Qd2 (6. h4 h5)))))))))) 2. Nf3
 *     rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
 */

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <scoresheet/scoresheet.hpp>

/* The rows of a game list: all games, or those that a filter selects. */
class GameList {
public:
    explicit GameList(const std::string &path) : base_(path), reader_(base_), all_(base_.count()) {}

    void choose(const scoresheet::Filter &filter) {
        rows_ = base_.select(filter);
        chosen_ = true;
    }

    std::uint64_t size() const { return chosen_ ? rows_.size() : all_; }
    std::uint64_t all() const { return all_; }
    std::uint64_t number(std::uint64_t row) const { return chosen_ ? rows_.at(row) : row; }

    /* What a view asks for when a row becomes visible. */
    scoresheet::Game &row(std::uint64_t row) {
        reader_.header(number(row), header_);
        return header_;
    }

    /* What a board asks for when a row is opened. */
    std::optional<scoresheet::Error> load(std::uint64_t row, scoresheet::Game &game) {
        return reader_.game(number(row), game);
    }

private:
    scoresheet::Base base_;
    scoresheet::Reader reader_;
    std::uint64_t all_;
    std::vector<std::uint64_t> rows_;
    bool chosen_ = false;
    scoresheet::Game header_;
};

/* A move of a game, with its variations and notes. */
struct Node {
    std::string san;
    std::uint32_t ply = 0;
    std::size_t token = 0;
    std::vector<std::string> comments;
    std::vector<std::uint32_t> nags;
    /* The alternatives to this move. */
    std::vector<std::vector<Node>> variations;
};

/* The moves of a game as a tree. `open` holds the lines that have not ended, the innermost last. */
std::vector<Node> tree(scoresheet::Game &game) {
    std::vector<std::vector<Node>> open(1);
    std::vector<ScoresheetToken> tokens = game.tokens();
    for (std::size_t index = 0; index < tokens.size(); index++) {
        const ScoresheetToken &token = tokens[index];
        std::vector<Node> &line = open.back();
        switch (token.kind) {
        case SCORESHEET_TOKEN_KIND_MOVE:
            line.push_back({std::string(game.san(index)), token.value, index, {}, {}, {}});
            break;
        case SCORESHEET_TOKEN_KIND_NAG:
            if (!line.empty()) {
                line.back().nags.push_back(token.value);
            }
            break;
        case SCORESHEET_TOKEN_KIND_COMMENT:
            if (!line.empty()) {
                line.back().comments.emplace_back(game.comment(token.value));
            }
            break;
        case SCORESHEET_TOKEN_KIND_VARIATION_START:
            open.emplace_back();
            break;
        case SCORESHEET_TOKEN_KIND_VARIATION_END: {
            std::vector<Node> variation = std::move(open.back());
            open.pop_back();
            open.back().back().variations.push_back(std::move(variation));
            break;
        }
        }
    }
    return std::move(open.front());
}

/* Shows a line: `1. e4 (1. d4) 1... e5`. The number of a Black move is shown after a variation. */
void show(const std::vector<Node> &line, std::ostream &out) {
    bool numbered = true;
    for (const Node &node : line) {
        if (&node != &line.front()) {
            out << ' ';
        }
        if (node.ply % 2 == 0) {
            out << node.ply / 2 + 1 << ". ";
        } else if (numbered) {
            out << node.ply / 2 + 1 << "... ";
        }
        out << node.san;
        numbered = !node.variations.empty();
        for (const std::vector<Node> &variation : node.variations) {
            out << " (";
            show(variation, out);
            out << ')';
        }
    }
}

int main(int count, char **words) {
    if (count != 4) {
        std::cerr << "usage: " << words[0] << " BASE NAME=VALUE ROW\n";
        return 2;
    }
    try {
        GameList list(words[1]);
        std::string word = words[2];
        std::size_t equals = word.find('=');
        scoresheet::Filter filter;
        filter.add(word.substr(0, equals),
                   equals == std::string::npos ? "" : word.substr(equals + 1));
        list.choose(filter);
        std::cout << list.size() << (list.size() == 1 ? " game of " : " games of ") << list.all()
                  << '\n';
        std::uint64_t row = std::strtoull(words[3], nullptr, 10) - 1;
        if (row >= list.size()) {
            std::cerr << "there is no row " << words[3] << "; rows are counted from 1\n";
            return 2;
        }
        scoresheet::Game &header = list.row(row);
        std::cout << "row " << row + 1 << ": game " << header.number() + 1 << ", "
                  << header.tag("White") << " - " << header.tag("Black") << ", "
                  << header.tag("Result") << '\n';
        scoresheet::Game game;
        if (std::optional<scoresheet::Error> damage = list.load(row, game)) {
            std::cerr << damage->what() << '\n';
        }
        std::vector<Node> line = tree(game);
        show(line, std::cout);
        std::cout << '\n'
                  << (line.empty() ? std::string(game.fen()) : game.fen_after(line.back().token))
                  << '\n';
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
