// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace idemdesk::ui {

/// Widgets beside each other, as barRow() has them. Where the room is too narrow for all, as with large texts, they go
/// on in a further line: nothing is cut, and the page does not scroll sideways.
class WrapRow final : public QLayout
{
    Q_OBJECT

public:
    explicit WrapRow(QWidget *parent = nullptr);
    ~WrapRow() override;

    /// stretch: its share of the room that a line has left.
    void add(QWidget *widget, int stretch = 0);
    void add(QLayout *layout); ///< stays in one line
    void insert(int index, QWidget *widget); ///< before the one that stands there
    void addRoom(); ///< takes what a line has left

    void addItem(QLayoutItem *item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;

private:
    struct Item {
        QLayoutItem *item;
        int stretch = 0;
    };
    struct Line {
        QList<int> items; ///< those that are shown
        int height = 0;
    };

    QList<Line> lines(int width) const;
    QList<int> widths(const Line &line, int width) const;

    QList<Item> m_items;
};

} // namespace idemdesk::ui
