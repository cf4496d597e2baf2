#include "mesh_samples.h"

#include "muslin/io/animation_writer.h"
#include "muslin/io/pc2.h"

#include <fstream>
#include <random>

// Whatever the bytes of a file are, a reader gives a sound mesh or says what is wrong: any other
// exception, a crash or a run without end fails these tests. Build with
// MUSLIN_SANITIZE=address,undefined to see reads outside of the file too.

namespace muslin::test {
namespace {

using Corruption = TemporaryDirectory;

/// Spoils bytes in the ways that files get spoilt, and in a few that only malice finds.
class Spoiler {
public:
    explicit Spoiler(unsigned seed) : random_(seed) {}

    std::string spoil(std::string bytes) {
        for (std::size_t edits = 1 + below(4); edits > 0; --edits)
            edit(bytes);
        return bytes;
    }

private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

    void edit(std::string& bytes) {
        const std::size_t at = below(bytes.size() + 1), size = below(bytes.size() - at + 1) % 40;
        static const char* const words[] = {
            "-1", "0", "4294967295", "9223372036854775807", "1e999",           "\n", "\\\n", "nan",
            "/",  " ", "#",          "999999999999",        "\xff\xff\xff\xff"};
        switch (below(7)) {
        case 0: // one byte becomes another
            if (at < bytes.size())
                bytes[at] = static_cast<char>(below(256));
            break;
        case 1: // one bit flips
            if (at < bytes.size())
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 2: // a piece is lost
            bytes.erase(at, size);
            break;
        case 3: // a piece comes twice
            bytes.insert(at, bytes.substr(at, size));
            break;
        case 4: // the end is lost
            bytes.resize(at);
            break;
        case 5: // a word that is hard to read
            bytes.insert(at, words[below(std::size(words))]);
            break;
        default: // a number of the text becomes another
            if (const auto digit = bytes.find_first_of("0123456789", at);
                digit != std::string::npos)
                bytes.replace(digit, 1, words[below(4)]);
        }
    }

    std::mt19937 random_;
};

void expect_mesh_or_message(const std::string& bytes, const char* file, int& read, int& refused) {
    try {
        expect_sound(parse_mesh(bytes, file));
        ++read;
    } catch (const InputError& error) {
        EXPECT_FALSE(error.problem().expected.empty());
        EXPECT_FALSE(error.problem().found.empty());
        EXPECT_EQ(error.problem().where.file, file);
        ++refused;
    }
}

void spoil_many_times(const std::string& bytes, const char* file, unsigned seed) {
    constexpr int rounds = 5000;
    Spoiler spoiler(seed);
    int read = 0, refused = 0;
    for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i)
        expect_mesh_or_message(spoiler.spoil(bytes), file, read, refused);
    // Otherwise the spoiler is too weak or too strong to try anything.
    EXPECT_GT(read, rounds / 50) << file;
    EXPECT_GT(refused, rounds / 50) << file;
}

PolygonMesh full_mesh() {
    PolygonMesh mesh = textured_mesh();
    mesh.group_names = {"front", "back"};
    mesh.face_group = {0, 1, 1};
    for (const char* name : {"red", "green", "blue"})
        mesh.vertex_maps[name] = {0, 0.5, 1, 0, 0, 1};
    return mesh;
}

TEST_F(Corruption, Obj) {
    write_mesh(path("a.obj"), full_mesh());
    spoil_many_times(read_file(path("a.obj")), "a.obj", 1);
    spoil_many_times("v 0 0 0\nv 1 0 0\nv 1 1 0\\\n\nvn 0 0 1\nvt 0 0\nf -3/-1/1 -2//1 \\\n -1\n",
                     "a.obj", 2);
}

TEST_F(Corruption, Off) {
    write_mesh(path("a.off"), full_mesh());
    spoil_many_times(read_file(path("a.off")), "a.off", 3);
}

TEST_F(Corruption, Gltf) {
    PolygonMesh mesh = full_mesh();
    for (Vec3& p : mesh.positions) // as floats hold them
        p = {std::fmod(p.x, 2), std::fmod(p.y, 2), std::fmod(p.z, 2)};
    write_mesh(path("a.0.obj"), mesh);
    write_mesh(path("a.1.obj"), mesh);
    write_animation(AnimationFormat::glb, path("a.glb"), *open_animation(path("a.#.obj")), {});
    spoil_many_times(read_file(path("a.glb")), "a.glb", 11);
}

TEST_F(Corruption, PlyLittleEndian) {
    write_mesh(path("a.ply"), full_mesh());
    spoil_many_times(read_file(path("a.ply")), "a.ply", 4);
}

TEST_F(Corruption, PlyBigEndian) {
    std::string bytes = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\n"
                        "property float y\nproperty float z\nproperty list uchar short near\n"
                        "element face 2\nproperty list uchar uint vertex_index\n"
                        "element edge 1\nproperty list int int ends\nend_header\n";
    for (float v : {0.f, 1.f, 2.f}) {
        for (int axis = 0; axis < 3; ++axis)
            append_bytes(bytes, v, std::endian::big);
        append_bytes(bytes, std::uint8_t{1}, std::endian::big);
        append_bytes(bytes, std::int16_t{5}, std::endian::big);
    }
    for (int face = 0; face < 2; ++face) {
        append_bytes(bytes, std::uint8_t{3}, std::endian::big);
        for (std::uint32_t v : {0u, 1u, 2u})
            append_bytes(bytes, v, std::endian::big);
    }
    append_bytes(bytes, std::int32_t{2}, std::endian::big);
    append_bytes(bytes, std::int32_t{0}, std::endian::big);
    append_bytes(bytes, std::int32_t{1}, std::endian::big);
    spoil_many_times(bytes, "a.ply", 5);
}

TEST_F(Corruption, PlyAscii) {
    spoil_many_times("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                     "property float z\nproperty float s\nproperty float t\nproperty uchar red\n"
                     "element face 2\nproperty list uchar int vertex_indices\n"
                     "property list uchar float other\nend_header\n"
                     "0 0 0 0 0 255\n1 0 0 1 0 0\n1 1 0 1 1 128\n3 0 1 2 0\n3 2 1 0 1 5\n",
                     "a.ply", 6);
}

void spoil_cache(const std::string& bytes, const std::filesystem::path& file, unsigned seed) {
    Spoiler spoiler(seed);
    int read = 0, refused = 0;
    std::vector<Vec3> positions;
    for (int i = 0; i < 2000; ++i) {
        // Neither atomically nor over the last one, which file systems write out at once: thousands
        // of files that wait for the disk would take minutes.
        std::filesystem::remove(file);
        std::ofstream(file, std::ios::binary) << spoiler.spoil(bytes);
        try {
            PointCacheReader reader = open_point_cache(file);
            for (int s = 0; s < reader.samples(); ++s) {
                reader.read(s, positions);
                for (const Vec3& p : positions)
                    ASSERT_TRUE(is_finite(p));
            }
            ++read;
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(read, 40);
    EXPECT_GT(refused, 40);
}

TEST_F(Corruption, PointCaches) {
    Pc2Writer writer(path("a.pc2"), 3);
    for (int s = 0; s < 3; ++s)
        writer.append(std::vector<Vec3>(3, Vec3{1, 2, 3}));
    spoil_cache(read_file(path("a.pc2")), path("b.pc2"), 7);
    write_animation(AnimationFormat::mdd, path("a.mdd"), *open_animation(path("a.pc2")));
    spoil_cache(read_file(path("a.mdd")), path("b.mdd"), 8);
}

} // namespace
} // namespace muslin::test
