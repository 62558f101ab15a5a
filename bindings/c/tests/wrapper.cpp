/* Tests of scoresheet.hpp over the fixtures: wrapper FIXTURES EMPTY_FOLDER */

#include <cstring>

#include <scoresheet/scoresheet.hpp>

#include "check.h"

using scoresheet::Base;
using scoresheet::Error;
using scoresheet::Filter;
using scoresheet::Game;
using scoresheet::Options;
using scoresheet::Reader;

static std::string fixtures;
static std::string folder;

static ScoresheetStatus status_of(const std::function<void()> &run) {
    try {
        run();
    } catch (const Error &error) {
        CHECK(std::strlen(error.what()) > 0);
        return error.status();
    }
    return SCORESHEET_STATUS_OK;
}

static void games_and_headers_are_read() {
    Base base(fixtures + "/scid/plain/base.si4");
    CHECK(base.format() == "si4" && base.count() == 6);
    Reader reader(base);
    Game game;
    reader.header(1, game);
    CHECK(game.tag("White") == "Morphy, Paul" && game.ply_count() == 0);
    CHECK(!reader.game(1, game).has_value());
    CHECK(game.number() == 1 && game.ply_count() == 33 && game.tags().size() == 8);
    CHECK(game.pgn().find("17. Rd8#") != std::string_view::npos);
    CHECK(game.json().front() == '{' && game.tokens().size() == 33);
    CHECK(game.san(32) == "Rd8#" && game.uci(32) == "d1d8");
    CHECK(game.fen_after(32) == "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17");
    CHECK(status_of([&] { reader.header(6, game); }) == SCORESHEET_STATUS_OUT_OF_RANGE);
    CHECK(status_of([&] { game.fen_after(99); }) == SCORESHEET_STATUS_OUT_OF_RANGE);
}

static void damage_is_returned_with_place() {
    Base base(fixtures + "/scid/bad_move/base.si4");
    Reader reader(base);
    Game game;
    std::optional<Error> damage = reader.game(1, game);
    CHECK(damage.has_value());
    CHECK(damage && damage->place().game == 1 && damage->part() == "sg4");
    CHECK(damage && damage->file().find("base.si4") != std::string::npos);
    CHECK(status_of([&] { Base(folder + "/absent.pgn"); }) == SCORESHEET_STATUS_NOT_FOUND);
}

static void filters_select_and_convert() {
    Base base(fixtures + "/scid/plain/base.si4");
    Filter filter;
    filter.add("player", "alder");
    std::vector<std::uint64_t> expected{0, 4};
    CHECK(base.select(filter) == expected);
    std::string path = folder + "/chosen.pgn";
    ScoresheetSummary summary = base.convert(path, {}, Filter().only({2, 1}));
    CHECK(summary.read == 6 && summary.written == 2 && summary.passed_over == 4);
    Base chosen(path);
    chosen.index();
    CHECK(chosen.count() == 2);
    CHECK(status_of([&] { base.convert(path); }) == SCORESHEET_STATUS_EXISTS);
    base.convert(path, Options().set("overwrite", "yes"));
    CHECK(status_of([&] { Filter().add("colour", "x"); }) == SCORESHEET_STATUS_BAD_ARGUMENT);
}

static void exception_of_callback_reaches_caller() {
    Base base(fixtures + "/scid/plain/base.si4");
    bool caught = false;
    try {
        base.select(Filter(), [](std::uint64_t, std::optional<std::uint64_t>) -> bool {
            throw std::logic_error("from the callback");
        });
    } catch (const std::logic_error &error) {
        caught = std::string(error.what()) == "from the callback";
    }
    CHECK(caught);
    auto stop = [](std::uint64_t done, std::optional<std::uint64_t> total) {
        CHECK(total.has_value() && done <= *total);
        return false;
    };
    CHECK(status_of([&] { base.select(Filter(), stop); }) == SCORESHEET_STATUS_CANCELLED);
    CHECK(status_of([&] { base.convert(folder + "/no.pgn", {}, {}, stop); }) ==
          SCORESHEET_STATUS_CANCELLED);
}

static void handles_move() {
    Game first = Game::from_pgn("1. e4 *");
    Game second = std::move(first);
    CHECK(second.ply_count() == 1 && first.get() == nullptr && first.ply_count() == 0);
    CHECK(first.tag("White").empty());
}

int main(int count, char **words) {
    if (count != 3) {
        std::fprintf(stderr, "usage: %s FIXTURES EMPTY_FOLDER\n", words[0]);
        return 2;
    }
    fixtures = words[1];
    folder = words[2];
    try {
        games_and_headers_are_read();
        damage_is_returned_with_place();
        filters_select_and_convert();
        exception_of_callback_reaches_caller();
        handles_move();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "unexpected: %s\n", error.what());
        return 1;
    }
    return finish_checks("wrapper");
}
